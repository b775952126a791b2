import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import { registerUser, requestPasswordReset } from '@tripline/proto/auth-request'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import type { Tables } from '../src/store/database.ts'
import { type AuthFixture, authFixture, mailedToken, register, registration } from './auth-fixture.ts'

const hourMs = 3_600_000

let auth: AuthFixture
let replicas: HttpService[]
beforeAll(async () => {
  auth = await authFixture()
  replicas = await Promise.all([auth.start(), auth.start(), auth.start()])
})
afterAll(async () => await auth.stop())

const apply = async (): Promise<string> =>
  (await sendRequest(auth.gateway, registerUser, registration())).email
const mailsTo = (address: string): number => auth.smtp.mails.filter(({ to }) => to === address).length

/** Returns the number of mails that are still to be sent. */
const waiting = async (): Promise<number> => {
  const db = openDatabase<Tables>(auth.databaseUrl, 'auth', testLog('test'))
  const rows = await db.selectFrom('mail').select('id').execute()
  await db.destroy()
  return rows.length
}
const nothingWaits = async (): Promise<void> => {
  await waitFor(async () => (await waiting()) === 0)
}

/** The attempts that all replicas count, of those that ended so. */
async function attempts(outcome: 'sent' | 'unsent'): Promise<number> {
  const counts = replicas.map(async ({ port }) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return Number(
      new RegExp(`^tripline_mails_total\\{outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(text)?.[1],
    )
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

describe('a mail', () => {
  test('is sent once by many replicas, as text and HTML', async () => {
    const addresses = await Promise.all(Array.from({ length: 20 }, apply))
    await nothingWaits()
    expect(addresses.map(mailsTo)).toEqual(addresses.map(() => 1))
    const { html, text } = await auth.smtp.mailTo(addresses[0] ?? '')
    expect(html).toContain('<a href="https://tripline.example/verify-email#token=')
    expect(text).toContain('https://tripline.example/verify-email#token=')
  })

  test('waits while the mail server is away, and is sent once when it is back', async () => {
    await auth.smtp.close()
    const address = await apply()
    await waitFor(() => auth.lines.some((line) => line.includes('mail not sent yet')))
    expect([mailsTo(address), await waiting()]).toEqual([0, 1])
    await auth.smtp.open()
    auth.pass(300_000)
    await nothingWaits()
    expect(mailsTo(address)).toBe(1)
    expect(await attempts('unsent')).toBeGreaterThan(0)
    expect(await attempts('sent')).toBeGreaterThan(0)
  })

  test('is tried again later and later when the server does not want it now', async () => {
    const offered = auth.smtp.offered()
    auth.smtp.refuse(3, 451)
    const address = await apply()
    for (const attempts of [1, 2, 3]) {
      await waitFor(() => auth.smtp.offered() >= offered + attempts)
      auth.pass(attempts * 5000)
    }
    await nothingWaits()
    expect([mailsTo(address), auth.smtp.offered() - offered]).toEqual([1, 4])
  })

  test('is not tried again when the server never wants it', async () => {
    const offered = auth.smtp.offered()
    auth.smtp.refuse(1, 550)
    const address = await apply()
    await nothingWaits()
    auth.pass(hourMs)
    const next = await apply()
    await auth.smtp.mailTo(next)
    expect([mailsTo(address), auth.smtp.offered() - offered]).toEqual([0, 2])
  })

  test('is given up after a day, and said so', async () => {
    await auth.smtp.close()
    const address = await apply()
    await waitFor(() => auth.lines.filter((line) => line.includes('mail not sent yet')).length > 1)
    auth.pass(25 * hourMs)
    await nothingWaits()
    await auth.smtp.open()
    expect(mailsTo(address)).toBe(0)
    expect(auth.lines.some((line) => line.includes('mail given up'))).toBe(true)
  })

  test('of an odd address goes to that address only', async () => {
    const email = 'a,b<victim@example.com>,"@example.com'
    await sendRequest(auth.gateway, registerUser, registration({ email })).catch(() => undefined)
    await nothingWaits()
    expect(mailsTo('victim@example.com')).toBe(0)
  })

  test('leaves no address in the log', async () => {
    const { email } = await register(auth)
    await sendRequest(auth.gateway, requestPasswordReset, { email, address: '' })
    await mailedToken(auth, email, 'reset-password')
    expect(auth.lines.join('\n')).not.toContain('@example.com')
  })
})
