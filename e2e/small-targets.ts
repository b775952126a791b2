import type { Page } from 'playwright-core'

// A thumb's reach around the middle of what is tapped: 40 px in all, rounded down.
const reachPx = 19

// Runs in the page. A link within a sentence is as high as its line.
const script = `(() => {
  const named = 'a[href], button, input, select, summary, textarea'
  const whole = (e) => e.closest('label') ?? e.closest('.ant-select, .ant-input-number, .ant-input-affix-wrapper') ?? e
  const isText = (e) => e.matches('a') && getComputedStyle(e).display === 'inline'
  const isReached = (e, target) => {
    target.scrollIntoView({ block: 'center', inline: 'center' })
    const { left, top, width, height } = target.getBoundingClientRect()
    const reach = ${reachPx}
    return [[0, -reach], [0, reach], [-reach, 0], [reach, 0]].every(([x, y]) => {
      const hit = document.elementFromPoint(left + width / 2 + x, top + height / 2 + y)
      return hit !== null && (target.contains(hit) || e.contains(hit))
    })
  }
  const found = []
  if (document.querySelector('.shell, .session-frame, .legal') === null) return found
  for (const e of document.querySelectorAll(named)) {
    const target = whole(e)
    const isSeen = target.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    if (!isSeen || target.getBoundingClientRect().width === 0 || e.matches('.skip-link') || isText(e)) continue
    if (!isReached(e, target)) found.push((target.textContent || e.getAttribute('aria-label') || e.className).trim().slice(0, 40))
  }
  scrollTo(0, 0)
  return found
})()`

/** The names of what can be tapped on a screen of the app and is smaller than 40 px either way. */
export async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(script)
}
