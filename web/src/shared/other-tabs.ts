import { tokenSubject } from './token-subject.ts'
import { accessToken } from './tokens.ts'

/** Loads the page anew once another tab has ended its session or begun that of another person. */
export function watchOtherTabs(): () => void {
  const ours = tokenSubject(accessToken())
  // Another tab's refresh leaves the session as it is.
  const look = () => {
    const token = accessToken()
    if (token === null || (ours !== undefined && tokenSubject(token) !== ours)) location.reload()
  }
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) look()
  }
  // Only other tabs cause the first; a page that Back brings up may have missed it.
  window.addEventListener('storage', look)
  window.addEventListener('pageshow', onShow)
  return () => {
    window.removeEventListener('storage', look)
    window.removeEventListener('pageshow', onShow)
  }
}
