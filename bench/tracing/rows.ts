import path from 'node:path'
import type { Closers } from '@tripline/testkit/closers'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { alternatingOrders, productSender, type Shot } from '../alert-to-order/rows.ts'
import { openTraders } from '../alert-to-order/traders.ts'
import { operatorBus } from '../operator-bus.ts'

/** The share of alerts that each product traces; the second one shows what is chance. */
const samples = [
  ['off', '0'],
  ['off, another', '0'],
  ['1%', '0.01'],
  ['100%', '1'],
] as const

/** A whole product of its own, that traces its share of the alerts. */
export interface Row {
  name: string
  paperUrl: string
  send: () => Promise<Shot>
  /** Returns the processor time of intake and executor so far, in ms. */
  usedMs: () => Promise<number>
}

/** Starts a product for each share; they run beside one another, and one at a time gets alerts. */
export async function openRows(traders: number, closers: Closers): Promise<Row[]> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  const rows: Row[] = []
  for (const [index, [name, sample]] of samples.entries()) {
    const env = { TRACE_SAMPLE: sample, TRACE_FILE: path.join(folder, `${index}.jsonl`) }
    const services = ['paper-exchange', 'intake', 'executor', 'history'] as const
    const product = await startProduct({ ephemeral: true, ownServers: true, env, services, closers })
    const bus = await operatorBus(product.dataDir, product.servers.nats.url, closers)
    const orders = alternatingOrders(await openTraders(product, bus, traders))
    const send = productSender(product.urls.intake, orders, closers)
    rows.push({ name, paperUrl: product.urls.paper, send, usedMs: async () => await usedMs(product) })
  }
  return rows
}

async function usedMs({ urls }: Product): Promise<number> {
  const used = await Promise.all(
    [urls.services.intake, urls.services.executor].map(async (url) => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const [, seconds] = /^tripline_cpu_seconds\{.*\} (\S+)$/m.exec(text) ?? []
      return Number(seconds) * 1000
    }),
  )
  return used.reduce((sum, ms) => sum + ms, 0)
}
