// Wider windows have room beside their screens (notices.css).
const narrow = '(max-width: 767px)'

let usedAt = 0

/** Follows where on the page a person is at work. */
export function watchWhereUsed(): void {
  addEventListener('pointerdown', ({ clientY }) => note(clientY), { capture: true, passive: true })
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) note(target.getBoundingClientRect().top)
  })
}

function note(y: number): void {
  usedAt = y
}

/** Where a notice lies over nothing that is likely to be pressed next: on a phone, at the end away from what was used last. */
export function noticePlace(): 'top' | 'bottomLeft' {
  const isLow = usedAt > innerHeight / 2
  return isLow && matchMedia(narrow).matches ? 'top' : 'bottomLeft'
}
