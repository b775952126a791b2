/** Whether every row of the page is open; rows of other pages may stay open meanwhile. */
export function areAllOpen(page: readonly { id: string }[], openIds: ReadonlySet<string>): boolean {
  return page.length > 0 && page.every(({ id }) => openIds.has(id))
}
