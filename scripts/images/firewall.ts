import { readFile, writeFile } from 'node:fs/promises'
import { runCommand } from '@tripline/testkit/infra/run-command'

const forwarding = '/proc/sys/net/ipv4/ip_forward'
const tables = ['nat', 'filter'] as const
const isOurs = (rule: string): boolean => rule.includes('NETAVARK')

/** Remembers what podman's networks change about the machine; returns how to change it back. */
export async function keepFirewall(): Promise<() => Promise<void>> {
  const forwarded = await readFile(forwarding, 'utf8')
  // Somebody else's podman needs the same chains.
  const wereThere = (await Promise.all(tables.map(rulesOf))).flat().some(isOurs)
  return async () => {
    await writeFile(forwarding, forwarded)
    if (!wereThere) for (const table of tables) await removeChains(table)
  }
}

/** The rules as iptables would take them, chains first. */
async function rulesOf(table: string): Promise<string[]> {
  return (await runCommand('iptables', ['--table', table, '--list-rules'])).split('\n')
}

async function removeChains(table: string): Promise<void> {
  const rules = (await rulesOf(table)).filter(isOurs)
  const chains = rules.filter((rule) => rule.startsWith('-N ')).map((rule) => rule.slice(3))
  // A chain is removed when no rule leads to it any more.
  const jumps = rules.filter((rule) => /^-A (?!NETAVARK)/.test(rule))
  for (const jump of jumps) await iptables(table, ['-D', ...wordsOf(jump.slice(3))])
  for (const chain of chains) await iptables(table, ['-F', chain])
  for (const chain of chains) await iptables(table, ['-X', chain])
}

function iptables(table: string, args: string[]): Promise<string> {
  return runCommand('iptables', ['--table', table, ...args])
}

/** The words of a rule, of which comments are quoted. */
function wordsOf(rule: string): string[] {
  return [...rule.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)
}
