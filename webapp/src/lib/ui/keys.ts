type Key = { key: string; keyCode: number; nativeEvent: { isComposing: boolean } };

/**
 * Reports whether a key belongs to an input method that is composing, for instance for Hindi. Safari signals this only
 * by key code 229.
 */
export const composing = (event: Key): boolean => event.nativeEvent.isComposing || event.keyCode === 229;

/** Reports whether a pressed key is a shortcut of the page, and not meant for a text field or a dialog. */
export function forPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
  const field =
    event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable="true"]') !== null;
  return !field && document.querySelector('[role="dialog"]') === null;
}
