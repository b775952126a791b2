import { describe, expect, test } from '@jest/globals'
import { exchangeOptions } from '../../web/src/features/api-keys/exchange-options.ts'
import { texts as dashboard } from '../../web/src/features/dashboard/texts.ts'
import { profileTexts } from '../../web/src/features/profile/texts.ts'
import { landingTexts } from '../../web/src/landing/landing-texts.ts'
import { prerender } from '../../web/src/landing/prerender.tsx'

const pages = Object.fromEntries(prerender().map(({ name, markup }) => [name, markup]))
const wordsOf = (markup: string | undefined): string =>
  (markup ?? '').replaceAll(/<!--.*?-->/g, '').replaceAll(/<[^>]+>/g, ' ')

describe('1: "Selling points shown to visitors"', () => {
  test.each([
    ['warm pre-connected exchange clients (fastest execution)', 'Fastest execution', /connected before/],
    ['multi-exchange support', 'Multi-exchange', /ByBit and Binance/],
    ['order commands including stop and limit orders and OCO', 'Order commands', /limit and stop .*OCO/],
    ['charting-platform integration', 'Charting platform', /TradingView/],
    ['a live event stream', 'Live event stream', /as it happens/],
    ['mobile notifications', 'Mobile notifications', /Telegram/],
    ['full history', 'Full history', /Every alert and command/],
    ['an interactive console', 'Interactive console', /Send commands by hand/],
    ['encrypted key storage', 'Encrypted keys', /Stored encrypted/],
  ])('"%s", on the landing page and on the teaser', (_words, title, text) => {
    for (const page of ['landing', 'teaser']) {
      const tile = new RegExp(`<h3>${title}</h3><p[^>]*>([^<]+)</p>`).exec(pages[page] ?? '')
      expect(tile?.[1]).toMatch(text)
    }
  })

  test('and no others', () => {
    for (const page of ['landing', 'teaser'])
      expect(pages[page]?.match(/class="tile-glyph"/g)).toHaveLength(9)
  })
})

describe('1: exchanges', () => {
  test('"ByBit (futures and spot) and Binance (futures USDT-M, spot; COIN-M coming soon) are usable"', () => {
    const usable = exchangeOptions.flatMap(({ value, disabledBecause, markets }) =>
      markets
        .filter((market) => (disabledBecause ?? market.disabledBecause) === undefined)
        .map((market) => `${value} ${market.value}`),
    )
    // Paper is ours, and beside what the specification names.
    expect(usable.filter((market) => !market.startsWith('paper'))).toEqual([
      'bybit futures',
      'bybit spot',
      'binance futures_usdt',
      'binance spot',
    ])
  })

  test.each(['OKX', 'Kraken', 'Binance COIN-M'])(
    '%s is "shown as coming soon" on the public page',
    (name) => {
      expect(wordsOf(pages['landing'])).toMatch(new RegExp(`${name}\\s+Coming soon`))
    },
  )

  test.each(['ByBit Futures', 'ByBit Spot', 'Binance Futures', 'Binance Spot'])(
    '%s is shown, and not as coming soon',
    (name) => {
      const shown = landingTexts.exchanges.all.find((exchange) => exchange.name === name)
      expect(shown).toBeDefined()
      expect(shown).not.toHaveProperty('isSoon')
    },
  )
})

test('1: "It is in alpha with free access"', () => {
  expect(wordsOf(pages['landing'])).toContain('Free access while we are in alpha.')
})

test('1: "A community link to a messaging service and a support contact link exist"', () => {
  expect(pages['landing']).toContain('href="__COMMUNITY_URL__"')
  expect(pages['landing']).toContain('href="mailto:__CONTACT_EMAIL__"')
})

test('1: the dashboard says "Your trading automation platform is ready"', () => {
  expect(dashboard.ready).toBe('Your trading automation platform is ready')
})

test('1: "A Coming Soon list names trading analytics and statistics, real-time P&L tracking, ..."', () => {
  expect(dashboard.comingSoon).toEqual({
    title: 'Coming Soon',
    items: [
      'Trading analytics and statistics',
      'Real-time P&L tracking',
      'Performance charts',
      'Win rate and risk metrics',
    ],
  })
})

describe('2, landing page and teaser, as they are before any script', () => {
  test('"Title, tagline, alpha notice, a Get Started button (to /register) and a Login button"', () => {
    const landing = pages['landing'] ?? ''
    for (const words of [landingTexts.title, landingTexts.tagline, landingTexts.alpha.title])
      expect(wordsOf(landing)).toContain(words)
    expect(landing).toMatch(/<a [^>]*href="\/register"[^>]*>Get Started<\/a>/)
    expect(landing).toMatch(/<a [^>]*href="\/login"[^>]*>Login<\/a>/)
  })

  test('"Four expandable feature cards"', () => {
    expect(landingTexts.features.cards.map(({ title }) => title)).toEqual([
      'Lightning Fast',
      'Multi-Exchange',
      'Multi-Bot Support',
      'Advanced Commands',
    ])
    expect(pages['landing']?.match(/aria-expanded="false"/g)).toHaveLength(4)
  })

  test('"A footer notice says sensitive data (API keys, balances, prices) is masked in the public stream"', () => {
    expect(wordsOf(pages['landing'])).toContain(
      'Sensitive data (API keys, balances, prices) is masked in the public stream',
    )
  })

  test('"/terms and /privacy open in a new tab when linked from the landing page"', () => {
    for (const path of ['/terms', '/privacy'])
      expect(pages['landing']).toMatch(new RegExp(`<a href="${path}" target="_blank"`))
  })

  test('teaser: "Logo, tagline, a nine-tile feature grid, an email field with a Notify Me button, ... a copyright line (year 2025)"', () => {
    const teaser = pages['teaser'] ?? ''
    expect(teaser.match(/<li[ >]/g)).toHaveLength(9)
    expect(teaser).toContain('<svg')
    expect(wordsOf(teaser)).toContain(landingTexts.teaser.tagline)
    expect(teaser).toMatch(/<input [^>]*type="email"[^>]*required=""/)
    expect(wordsOf(teaser)).toContain('Notify Me')
    expect(wordsOf(teaser)).toContain('© 2025')
    expect(landingTexts.waitlist.another).toBe('Add another email')
  })
})

test('2: "/profile page only shows the text": the text stands where it is true, beside the panels that work', () => {
  // Decided otherwise: the page has the account, the sessions, the look and the password, and says so of the rest.
  expect(profileTexts.coming.soon).toBe('Profile page - Coming soon')
})
