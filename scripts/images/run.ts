import { closers as newClosers } from '@tripline/testkit/closers'
import { openDemoAccount } from '@tripline/testkit/people/demo-account'
import { phase } from '@tripline/testkit/progress'
import { readArguments } from '../arguments.ts'
import { lockDataFolder } from '../data-lock.ts'
import { ordersOf, type Sent, sendAlert } from '../first-alert.ts'
import { onStopRequest } from '../stop-request.ts'
import { bringImages } from './bring-images.ts'
import { buildImage, imageBytes } from './build-image.ts'
import { type Engine, startEngine } from './engine.ts'
import { engineDir } from './engine-settings.ts'
import { ensurePrograms } from './programs.ts'
import { bringUp, makeSecrets } from './trial.ts'
import { prepareProject, type TrialProject } from './trial-project.ts'
import { wantedImages } from './wanted-images.ts'

readArguments({
  help: `npm run images
Builds the image, brings compose.yaml up from it, executes one alert, and takes it all down again.`,
})
const closers = newClosers()
let isStopping = false

onStopRequest(async (why) => {
  isStopping = true
  console.log(`\nTaking everything down (${why})`)
  await closers.close()
  process.exit(130)
})

try {
  await ensurePrograms()
  const { release } = await lockDataFolder(engineDir)
  await closers.add(async () => release())
  const engine = await phase('started podman', () => startEngine(closers))
  const report = await trial(engine)
  await phase('took everything down', () => closers.close())
  console.log(`\n${report}`)
} catch (error) {
  // An error after a stop is no failure of its own.
  if (!isStopping) console.error(`\n${describe(error)}`)
  await closers.close()
  if (!isStopping) process.exit(1)
}

async function trial(engine: Engine): Promise<string> {
  const origins = await bringImages(engine)
  const building = await timed('built the image', () => buildImage(engine))
  const { node } = await wantedImages()
  const beside = building.value - (await imageBytes(engine, node))
  const project = await prepareProject(closers)
  await phase('made secrets', () => makeSecrets(engine, project))
  const starting = await timed('brought compose.yaml up', () => bringUp(engine, project))
  const { answer, roundTripMs } = await phase('executed one alert', () => firstAlert(project))
  return [
    ...Object.entries(origins).map(([image, origin]) => `${image}: ${origin}`),
    `Image: ${megabytes(building.value)}, of which ${megabytes(beside)} beside Node; built in ${building.seconds} s.`,
    `Start: every service ready ${starting.seconds} s after compose up, with empty volumes.`,
    `Alert: ${answer.status}, one order, answered after ${roundTripMs.toFixed(1)} ms.`,
  ].join('\n')
}

/** Sends an alert of a new user with a Paper bot; fails unless it succeeded and the exchange got exactly one order. */
async function firstAlert({ webUrl, paperUrl, folder }: TrialProject): Promise<Sent> {
  const account = await openDemoAccount(webUrl, folder)
  const sent = await sendAlert(webUrl, account, `${account.botLabel}(BTCUSDT) { market(buy, 0.01) }`)
  const orders = await ordersOf(paperUrl, sent.answer.alert_id)
  if (sent.answer.status !== 'success' || orders.length !== 1)
    throw new Error(`${orders.length} orders arrived, and the answer was ${JSON.stringify(sent.answer)}`)
  return sent
}

async function timed<T>(label: string, work: () => Promise<T>): Promise<{ value: T; seconds: string }> {
  const startedAt = performance.now()
  const value = await phase(label, work)
  return { value, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}\n  because: ${describe(error.cause)}`
}
