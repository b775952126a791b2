// Wider windows have room beside their screens (notices.css).
const narrow = '(max-width: 767px)'

let used: { y: number; target: EventTarget | null } = { y: 0, target: null }

/** Follows where on the page a person is at work. */
export function watchWhereUsed(): void {
  const note = (y: number, target: EventTarget | null) => {
    used = { y, target }
  }
  const options = { capture: true, passive: true }
  addEventListener('pointerdown', ({ clientY, target }) => note(clientY, pressed(target)), options)
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) note(target.getBoundingClientRect().top, target)
  })
}

/** Returns the control under a pointer, and not the part of it that may be drawn anew while it works. */
function pressed(target: EventTarget | null): EventTarget | null {
  return (target instanceof Element && target.closest('a, button, label')) || target
}

/**
 * Returns a place for a notice over nothing that is likely to be pressed next: on a phone, at the end away from what
 * was used last. A screen that took its place begins at the top.
 */
export function noticePlacement(): 'top' | 'bottomLeft' {
  const isThere = used.target instanceof Node && used.target.isConnected
  const isLow = isThere && used.y > innerHeight / 2
  return isLow && matchMedia(narrow).matches ? 'top' : 'bottomLeft'
}
