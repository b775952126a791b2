/** The nonce under which this page's content security policy takes styles made at run time. */
export function contentNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
}
