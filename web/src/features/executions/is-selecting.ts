/** Whether a text of the list is selected, so that a click which ends the selecting opens and closes nothing. */
export function isSelecting(): boolean {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed) return false
  const { anchorNode } = selection
  const element = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement
  return Boolean(element?.closest('.execution-list'))
}
