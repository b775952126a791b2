import { availableParallelism, loadavg } from 'node:os'
import type { TokenPair } from '@tripline/proto/http/auth'
import { readArguments } from '@tripline/scripts/arguments'
import { onStopRequest } from '@tripline/scripts/stop-request'
import { closers as newClosers } from '@tripline/testkit/closers'
import { logIn } from '@tripline/testkit/people/person'
import { phase } from '@tripline/testkit/progress'
import { startProduct } from '@tripline/testkit/stack/product'
import type { Page } from 'playwright-core'
import { startBrowser } from '../browser.ts'
import { startInBetween } from '../in-between.ts'
import { fillWithDemo } from '../screenshots/demo-content.ts'
import { enterSession } from '../web-person.ts'
import { type Interaction, interactions } from './interactions.ts'
import { measureLanguage } from './language.ts'
import { measureBursts } from './live-log.ts'
import { blockedMs, scoreOf } from './score.ts'
import { desktop, mobile, type Preset, readVitals, slowDown, type Vitals, watchVitals } from './vitals.ts'

const rounds = 3
const quietMs = 1500
const patienceMs = 120_000
const limits = {
  shift: 0.02,
  blockedMs: 200,
  eventMs: 200,
  taskMs: 300,
  dashboardFiles: 20,
  burstShownMs: 1000,
  burstTaskMs: 120,
  burstHeapMB: 5,
  jumpMs: 50,
  languageMs: 50,
}
const desktopScore = 95
const screens = [
  { path: '/', isInSession: false, mobileScore: 98 },
  { path: '/login', isInSession: false, mobileScore: 90 },
  ...['/dashboard', '/api-keys', '/executions', '/receipts', '/webhook', '/terminal', '/notifications'].map(
    (path) => ({
      path,
      isInSession: true,
      mobileScore: 70,
    }),
  ),
]
type Screen = (typeof screens)[number]

const { words: named } = readArguments({
  help: `npm run web-timings -- [ADDRESS ...]
Opens the main screens of a running product, or those named, as a phone and as a desktop, does on them what people do
often, lets bursts of live events come, prints what each took beside its goal, and fails where a goal is missed.

  ${screens.map(({ path }) => path).join('\n  ')}`,
  words: screens.map(({ path }) => path),
})
const isNamed = (path: string) => named.length === 0 || named.includes(path)

const closers = newClosers()
onStopRequest(async () => {
  await closers.close()
  process.exit(1)
})

let missed = 0
try {
  await measureAll()
  await closers.close()
  console.log(missed === 0 ? 'Every goal is met.' : `${missed} goals are missed.`)
} catch (error) {
  console.error(error)
  await closers.close()
  process.exit(1)
}
process.exit(missed === 0 ? 0 : 1)

async function measureAll(): Promise<void> {
  const product = await startProduct({
    ephemeral: true,
    // One session sees it all.
    env: { ACCESS_TOKEN_MINUTES: '60' },
    closers,
    phase,
  })
  const demo = await phase('filled it with demo content', () => fillWithDemo(product))
  console.log(
    `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} before: whatever else runs is measured, too`,
  )
  const browser = await startBrowser(product.urls.web)
  await closers.add(() => browser.stop())
  const session = await logIn(product.urls.web, demo)
  const openNew = async (preset: Preset, isInSession: boolean) => {
    const page = await browser.open(preset.width)
    page.setDefaultTimeout(patienceMs)
    if (isInSession) await enterSession(page, session)
    return page
  }
  for (const preset of [mobile, desktop]) {
    for (const screen of screens.filter(({ path }) => isNamed(path))) {
      await judgeOpening(screen, preset, () => openNew(preset, screen.isInSession))
    }
  }
  if (isNamed('/dashboard')) await judgeFiles(await openNew(desktop, true))
  for (const each of interactions.filter(({ path }) => isNamed(path)))
    await judgeInteraction(each, await openNew(desktop, true))
  if (!isNamed('/terminal')) return
  judgeLanguage()
  await judgeBursts(product.urls.web, session)
}

/** Judges the time that a screen takes to open for somebody who was never there. */
async function judgeOpening(screen: Screen, preset: Preset, openNew: () => Promise<Page>): Promise<void> {
  const seen: Vitals[] = []
  for (let round = 0; round < rounds; round++) {
    const page = await openNew()
    await watchVitals(page)
    await slowDown(page, preset)
    await page.goto(screen.path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    seen.push(await settledVitals(page))
    await page.close()
  }
  const name = `${screen.path} on a ${preset.name}`
  const wanted = preset.name === 'mobile' ? screen.mobileScore : desktopScore
  const score = median(seen.map((vitals) => scoreOf(vitals, preset.name)))
  judge(`score of 100, ${name}`, score, wanted, score >= wanted)
  judgeAtMost(`moved by itself, ${name}`, median(seen.map(({ shift }) => shift)), limits.shift)
  if (preset.name === 'mobile' && screen.isInSession)
    judgeAtMost(`ms blocked, ${name}`, median(seen.map(blockedMs)), limits.blockedMs)
}

/** The vitals of a page once it has nothing left to do. */
async function settledVitals(page: Page): Promise<Vitals> {
  let before = ''
  let vitals = await readVitals(page)
  while (JSON.stringify(vitals) !== before) {
    before = JSON.stringify(vitals)
    await page.waitForTimeout(quietMs)
    vitals = await readVitals(page)
  }
  return vitals
}

interface LoadedFile {
  name: string
  transferSize: number
}

/** Judges the files that the dashboard loads at first, and those it loads again. */
async function judgeFiles(page: Page): Promise<void> {
  const loaded = () =>
    page.evaluate(() => {
      const loaded = performance.getEntriesByType('resource') as unknown as LoadedFile[]
      const files = loaded.filter(({ name }) => name.includes('/assets/'))
      const scripts = files.filter(({ name }) => name.endsWith('.js'))
      return {
        files: files.length,
        scriptBytes: scripts.reduce((sum, { transferSize }) => sum + transferSize, 0),
      }
    })
  const visit = async () => {
    await page.goto('/dashboard')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForTimeout(quietMs)
    return loaded()
  }
  const [first, second] = [await visit(), await visit()]
  judgeAtMost('files, /dashboard', first.files, limits.dashboardFiles)
  judgeAtMost('bytes of scripts, /dashboard again', second.scriptBytes, 0)
}

/** Judges how soon a screen shows a person's act, on a machine four times slower. */
async function judgeInteraction({ name, path, ready, act }: Interaction, page: Page): Promise<void> {
  await watchVitals(page)
  await page.goto(path)
  await ready(page)
  await slowDown(page, { ...desktop, slowdown: mobile.slowdown })
  const { tasksMs: before } = await settledVitals(page)
  await act(page)
  const { interactionsMs, tasksMs } = await settledVitals(page)
  await page.close()
  judgeAtMost(`ms to an answer (98 of 100), ${name}`, percentile(interactionsMs, 0.98), limits.eventMs)
  judgeAtMost(`ms of the longest task, ${name}`, Math.max(0, ...tasksMs.slice(before.length)), limits.taskMs)
}

/** Judges how soon the editor has its diagnostics of the longest messages. */
function judgeLanguage(): void {
  const { checkMs, completionMs } = measureLanguage()
  judgeAtMost('ms to check a message of 64 KiB', checkMs, limits.languageMs)
  judgeAtMost('ms to complete at the end of one', completionMs, limits.languageMs)
}

/** Judges the effect of ten bursts of 10,000 live events on the terminal. */
async function judgeBursts(productUrl: string, session: TokenPair): Promise<void> {
  const between = await startInBetween(productUrl)
  await closers.add(() => between.stop())
  const browser = await startBrowser(between.url)
  await closers.add(() => browser.stop())
  const page = await browser.open(desktop.width)
  page.setDefaultTimeout(patienceMs)
  await enterSession(page, session)
  const { shownMs, longestTaskMs, misplaced, heapGrowth, jumpsMs } = await measureBursts(page, between)
  judgeAtMost('ms until a burst of 10,000 events is shown', shownMs, limits.burstShownMs)
  judgeAtMost('ms of the longest task while it comes', longestTaskMs, limits.burstTaskMs)
  judgeAtMost('lines of the log lost or doubled by it', misplaced, 0)
  judgeAtMost('MB more held after ten of them', heapGrowth / 1e6, limits.burstHeapMB)
  judgeAtMost('ms to a jump through the log (98 of 100)', percentile(jumpsMs, 0.98), limits.jumpMs)
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

function judgeAtMost(name: string, measured: number, limit: number): void {
  judge(name, measured, limit, measured <= limit)
}

function judge(name: string, measured: number, goal: number, isMet: boolean): void {
  if (!isMet) missed += 1
  const shown = measured.toFixed(goal > 0 && goal < 1 ? 3 : 0)
  console.log(`${isMet ? 'ok    ' : 'MISSED'} ${shown.padStart(6)}, goal ${goal}: ${name}`)
}
