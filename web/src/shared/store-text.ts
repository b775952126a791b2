/** Stores a text in the browser; false where that has no room for it, or lets nothing be stored. */
export function storeText(storage: Pick<Storage, 'setItem'>, key: string, text: string): boolean {
  try {
    storage.setItem(key, text)
    return true
  } catch {
    return false
  }
}
