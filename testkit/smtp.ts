import { type CaughtMail, startMailCatcher, type Verdict } from './infra/mail-catcher.ts'
import { waitFor } from './wait-for.ts'

/** A mail server that keeps what it gets, and fails when it shall. */
export interface TestSmtp {
  readonly url: string
  /** Everything received so far, newest first. */
  readonly mails: readonly CaughtMail[]
  /** The newest mail to an address whose text or subject matches, waited for. */
  mailTo(address: string, matching?: RegExp): Promise<CaughtMail>
  /** Refuses this many mails, with this status. */
  refuse(times: number, status: number): void
  /** Returns the number of mails that were offered, refused ones included. */
  offered(): number
  /** Waits until more than so many were offered. */
  nextAfter(offered: number): Promise<void>
  /** Closes the port; `open` listens there again. */
  close(): Promise<void>
  open(): Promise<void>
  stop(): Promise<void>
}

/** Starts a mail server on a free port. */
export async function smtp(): Promise<TestSmtp> {
  const caught: CaughtMail[] = []
  let refusals: Verdict[] = []
  let offered = 0
  const judge = (): Verdict => {
    offered++
    return refusals.shift() ?? 'keep'
  }
  let catcher = await startMailCatcher({ host: '127.0.0.1', port: 0, judge })
  const { port } = catcher
  let isOpen = true
  const mails = (): CaughtMail[] => (isOpen ? [...catcher.mails, ...caught] : caught)
  const close = async (): Promise<void> => {
    if (!isOpen) return
    caught.unshift(...catcher.mails)
    isOpen = false
    await catcher.stop()
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    get mails() {
      return mails()
    },
    mailTo: async (address, matching = /./) =>
      await waitFor(() =>
        mails().find(
          ({ to, text, subject }) =>
            to.toLowerCase() === address.toLowerCase() && matching.test(`${subject}\n${text}`),
        ),
      ),
    refuse: (times, status) => {
      refusals = Array.from({ length: times }, () => ({ refuse: status }))
    },
    offered: () => offered,
    nextAfter: async (before) => {
      await waitFor(() => offered > before)
    },
    close,
    open: async () => {
      catcher = await startMailCatcher({ host: '127.0.0.1', port, judge })
      isOpen = true
    },
    stop: close,
  }
}
