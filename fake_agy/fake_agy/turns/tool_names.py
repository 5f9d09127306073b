"""The tools that a stream's init lists (contract.md 3.2)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fake_agy.profile.resolve import Profile

_SEARCH = ("find_by_name", "grep_search", "list_dir")

_NAMES = (
    "ask_custom_permission ask_permission ask_question browser_click_element browser_drag_pixel_to_pixel "
    "browser_get_dom browser_input browser_mouse_down browser_mouse_up browser_move_mouse browser_press_key "
    "browser_resize_window browser_scroll browser_scroll_down browser_scroll_up browser_select_option "
    "call_mcp_tool capture_browser_console_logs capture_browser_screenshot click_browser_pixel "
    "command_status define_subagent delete_knowledge execute_browser_javascript find_by_name finish "
    "generate_image grep_search invoke_subagent list_browser_pages list_dir list_permissions list_resources "
    "manage_inbox manage_subagents manage_task multi_replace_file_content notebook_edit notebook_execution "
    "open_browser_url read_browser_page read_resource read_url_content replace_file_content run_command "
    "schedule search_web sed_file send_command_input send_message view_file wait wait_5_seconds write_to_file"
)


def tool_names(profile: Profile) -> tuple[str, ...]:
    """Give the names in agy's order; the old search tools left the default set in one version."""
    names = tuple(_NAMES.split())
    if profile["search-tools"]:
        return names
    return tuple(name for name in names if name not in _SEARCH)
