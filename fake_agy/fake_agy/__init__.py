"""The double: a small agy that needs no account, keeps the store clients read, and answers by a seed."""
