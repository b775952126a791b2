/** Returns the server's setting under this name in the page, or nothing. */
export function siteWord(name: 'contact-email' | 'venues' | 'okx'): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? ''
}
