/** Links for visitors; the server puts both into the page, and nothing if it has none. */
export const siteLinks = {
  contactEmail: read('contact-email', '__CONTACT_EMAIL__'),
  communityUrl: read('community-url', '__COMMUNITY_URL__'),
}

// The page is written once, at build time, with the words that the server replaces later.
function read(name: string, placeholder: string): string {
  if (typeof document === 'undefined') return placeholder
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? ''
}
