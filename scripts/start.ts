import path from 'node:path'
import { styleText } from 'node:util'
import { closers as newClosers } from '@tripline/testkit/closers'
import { endLeftovers } from '@tripline/testkit/infra/child-server'
import { isPortTaken } from '@tripline/testkit/infra/free-port'
import type { ServerChange } from '@tripline/testkit/infra/server'
import { dataFolder } from '@tripline/testkit/paths'
import { type DemoAccount, openDemoAccount } from '@tripline/testkit/people/demo-account'
import { phase } from '@tripline/testkit/progress'
import { levelNumber, readableLine } from '@tripline/testkit/stack/log-line'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { type ServiceName, serviceNames } from '@tripline/testkit/stack/services'
import { readArguments } from './arguments.ts'
import { lockDataFolder } from './data-lock.ts'
import { reportFullDisk } from './full-disk.ts'
import { onStopRequest } from './stop-request.ts'

const settings = `npm start runs the whole product. Settings are variables of the environment:

  PORT           where the web app is served (8080)
  PAPER_PORT     where the paper exchange is served (8090)
  TRIPLINE_DATA  the folder of data and logs (.data)
  TRIPLINE_LOG   what of the logs is shown: debug, info, warn or error (warn)
  DATABASE_URL, NATS_URL, REDIS_URL
                 servers to use instead of starting some

docs/operations.md has the rest.`

readArguments({ help: settings })
const startedAt = performance.now()
const closers = newClosers()
let folder: Awaited<ReturnType<typeof lockDataFolder>> | undefined

onStopRequest(async (why) => {
  console.log(`\nStopping (${why})`)
  folder?.noteStopping()
  await closers.close()
  console.log('Everything is stopped.')
  process.exit(0)
})

try {
  const product = await start()
  const demo = await phase('opened the demo account', () =>
    openDemoAccount(product.urls.web, product.dataDir),
  )
  console.log(welcome(product, demo))
} catch (error) {
  await endWith(error)
}

async function start(): Promise<Product> {
  const dataDir = dataFolder()
  const ports = chosenPorts()
  folder = await lockDataFolder(dataDir, () => console.log('Waiting for the former start to end'))
  await closers.add(async () => folder?.release())
  await endLeftovers(dataDir)
  await refuseTaken('PORT', ports.web)
  await refuseTaken('PAPER_PORT', ports.paper)
  return startProduct({
    dataDir,
    ports,
    closers,
    phase,
    onLine: showLine,
    onDeath: showDeath,
    onServerChange: showServerChange,
    onLogFault: reportFullDisk(dataDir, (text) => console.error(styleText('red', text))),
  })
}

function chosenPorts(): { web: number; paper: number } {
  const web = port('PORT', 8080)
  const paper = port('PAPER_PORT', 8090)
  if (web === paper) throw new Error(`PORT and PAPER_PORT are both ${web}. Set one of them to another port.`)
  return { web, paper }
}

function port(setting: string, usual: number): number {
  const value = Number(process.env[setting] || usual)
  if (Number.isInteger(value) && value > 0 && value < 65_536) return value
  throw new Error(`${setting} is not a port: ${process.env[setting]}`)
}

async function refuseTaken(setting: string, number: number): Promise<void> {
  if (await isPortTaken(number)) throw new Error(`Port ${number} is taken. Set ${setting} to another one.`)
}

function showLine(service: ServiceName, line: string): void {
  const text = readableLine(
    service,
    line,
    serviceNames.indexOf(service),
    levelNumber(process.env['TRIPLINE_LOG']),
  )
  if (text !== undefined) console.log(text)
}

function showDeath(service: ServiceName, how: string): void {
  console.log(styleText('yellow', `${service} ended (${how}) and is started again`))
}

function showServerChange(server: string, change: ServerChange): void {
  if (change.kind === 'ended')
    console.log(styleText('yellow', `${server} ended (${change.how}) and is started again`))
  if (change.kind === 'returned') console.log(styleText('green', `${server} runs again`))
  if (change.kind === 'lost')
    void endWith(new Error(`${server} cannot be started again.`, { cause: change.error }))
}

async function endWith(error: unknown): Promise<void> {
  console.error(`\n${describe(error)}`)
  await closers.close()
  process.exit(1)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}\n  because: ${describe(error.cause)}`
}

function welcome({ urls, servers, dataDir }: Product, demo: DemoAccount): string {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const alert = `${demo.botLabel}(BTCUSDT) { market(buy, 0.01) }`
  const rows = {
    'Web app': new URL(demo.webhookUrl).origin,
    'Demo login': `${demo.email}  ${demo.password}`,
    'Webhook URL': demo.webhookUrl,
    Mailbox: new URL('/dev/mailbox', demo.webhookUrl).href,
    'Paper exchange': urls.paper,
    'Logs and state': path.relative(process.cwd(), dataDir) || dataDir,
    Servers: Object.values(servers)
      .map(({ how }) => how)
      .join(', '),
  }
  const table = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(15)} ${value}`)
  const curl = `  curl -X POST ${demo.webhookUrl} -d '${alert}'`
  return [
    '',
    `Tripline runs, after ${seconds} s. Ctrl-C stops it.`,
    '',
    ...table,
    '',
    'The first alert:',
    '',
    curl,
    '',
  ].join('\n')
}
