"""Asking a real agy for the facts that the double plays, and comparing both."""
