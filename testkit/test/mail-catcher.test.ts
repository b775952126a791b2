import { afterEach, expect, test } from '@jest/globals'
import { createTransport } from 'nodemailer'
import { type MailCatcher, type MailCatcherOptions, startMailCatcher } from '../infra/mail-catcher.ts'

const running: MailCatcher[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (catcher) => await catcher.stop()))
})

async function start(options: Partial<MailCatcherOptions> = {}): Promise<MailCatcher> {
  const catcher = await startMailCatcher({ host: '127.0.0.1', port: 0, ...options })
  running.push(catcher)
  return catcher
}

const urlOf = ({ port }: MailCatcher): string => `smtp://127.0.0.1:${port}`
const send = async (catcher: MailCatcher, subject: string): Promise<unknown> =>
  await createTransport(urlOf(catcher)).sendMail({
    from: 'no-reply@example.com',
    to: 'ada@example.com',
    subject,
    text: 'Grüße',
    html: '<p>Grüße</p>',
  })

test('a mail is stored as it reads, the newest first', async () => {
  const catcher = await start()
  await send(catcher, 'One')
  await send(catcher, 'Two – €')
  expect(catcher.mails.map(({ subject }) => subject)).toEqual(['Two – €', 'One'])
  expect(catcher.mails[0]).toMatchObject({ to: 'ada@example.com', text: 'Grüße\n', html: '<p>Grüße</p>\n' })
  expect(Date.parse(catcher.mails[0]?.date ?? '')).not.toBeNaN()
})

test('a mail is passed on, and stored only if the other server has taken it', async () => {
  const far = await start()
  const near = await start({ relayUrl: urlOf(far) })
  await send(near, 'Passed on')
  expect([near, far].map(({ mails }) => mails.map(({ subject }) => subject))).toEqual([
    ['Passed on'],
    ['Passed on'],
  ])
  await far.stop()
  await expect(send(near, 'Lost')).rejects.toThrow()
  expect(near.mails).toHaveLength(1)
})
