import { expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { succeed } from './executor.ts'
import { surroundings } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

test('a stop lets pending requests be answered and takes nothing new', async () => {
  const around = await surroundings()
  const executor = await around.execute(() => undefined)
  const user = await around.addUser()
  const usual = around.post(user.token, `1 ${message}`)
  const patient = around.post(user.token, `2 ${message}`, { wait: 60_000 })
  const alerts = await waitFor(async () => {
    const stored = await around.alertsOf(user)
    return stored.length === 2 && stored
  })
  const stopped = around.intake.stop()
  await waitFor(
    async () =>
      await around.post(user.token, message).then(
        () => false,
        () => true,
      ),
  )
  for (const alert of alerts) if (alert.message.startsWith('1')) executor.publishResult(succeed(alert))
  expect(await usual).toMatchObject({ status: 200, body: { status: 'success' } })
  // A caller that asked to wait longer learns that it is being executed.
  expect(await patient).toMatchObject({ status: 202, body: { status: 'accepted' } })
  await stopped
  await around.stop()
})
