type Key = { key: string; keyCode: number; nativeEvent: { isComposing: boolean } };

/** Whether a key belongs to an input method that is composing (Hindi, for one); Safari tells by 229 only. */
export const composing = (event: Key): boolean => event.nativeEvent.isComposing || event.keyCode === 229;

/** Whether a key that was pressed is a shortcut of the page, and nothing that someone types, or that a dialog wants. */
export function forPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
  const field =
    event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable="true"]') !== null;
  return !field && document.querySelector('[role="dialog"]') === null;
}
