import { calls } from '@tripline/proto/http/calls'
import { ExecutionPage, type ExecutionView } from '@tripline/proto/http/execution'
import { callApi } from '@tripline/testkit/people/call-api'
import { newTrader } from '@tripline/testkit/people/trader'
import type { Trader } from '../alert-to-order/traders.ts'

const botsEach = 3

/** A trader with a login, as everybody gets it: an account, Paper bots and a webhook. */
export interface Person extends Omit<Trader, 'userId'> {
  accessToken: string
}

/** Registers so many people over the public API. */
export async function registerPeople(webUrl: string, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let index = 0; index < count; index++) people.push(await register(webUrl))
  return people
}

async function register(webUrl: string): Promise<Person> {
  const labels = Array.from({ length: botsEach }, (_, index) => `MyBot${index + 1}`)
  const { accessToken, webhookUrl } = await newTrader({ urls: { web: webUrl } }, labels)
  return { accessToken, labels, webhookPath: new URL(webhookUrl).pathname }
}

/** Returns all of a person's history, newest first. */
export async function readHistory(webUrl: string, { accessToken }: Person): Promise<ExecutionView[]> {
  const all: ExecutionView[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const call = calls.listExecutions({ limit: 100, cursor })
    const page = ExecutionPage.parse(await callApi(webUrl, call, { accessToken }))
    all.push(...page.executions)
    cursor = page.next_cursor
  }
  return all
}
