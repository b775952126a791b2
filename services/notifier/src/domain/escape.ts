const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text that Telegram's HTML shows as it is, cut to a length and without what is no whole character. */
export function escapeText(text: string, mostCharacters: number): string {
  const whole = text.toWellFormed().replaceAll('\0', '')
  const cut = whole.length > mostCharacters ? `${whole.slice(0, mostCharacters).toWellFormed()}…` : whole
  return cut.replaceAll(/[&<>]/g, (character) => entities[character] ?? '')
}
