import { runCommand } from '@tripline/testkit/infra/run-command'
import { waitUntil } from '@tripline/testkit/wait-until'
import type { Engine } from './engine.ts'
import { pulseHealth } from './health-pulse.ts'
import { composeProgram } from './programs.ts'
import { smtpUrl, type TrialProject } from './trial-project.ts'

const readyDeadlineMs = 300_000

/** Makes the secrets by the command that compose.yaml names. */
export async function makeSecrets(engine: Engine, project: TrialProject): Promise<void> {
  const user = `${process.getuid?.()}:${process.getgid?.()}`
  await compose(engine, project, ['run', '--rm', '-T', '--user', user, 'secrets', '--smtp-url', smtpUrl])
}

/** Brings every service up from the images that are there; resolves once each of them says that it is well. */
export async function bringUp(engine: Engine, project: TrialProject): Promise<void> {
  const pulse = pulseHealth(engine)
  try {
    await compose(engine, project, ['up', '--detach', '--no-build', '--pull', 'never'])
    await waitUntil(() => isWell(project.webUrl), {
      deadlineMs: readyDeadlineMs,
      intervalMs: 50,
      awaited: 'every service to be well',
    })
  } catch (cause) {
    throw new Error(await lastWords(engine, project), { cause })
  } finally {
    await pulse.stop()
  }
}

async function isWell(webUrl: string): Promise<boolean> {
  const answer = await fetch(new URL('/api/health', webUrl), { signal: AbortSignal.timeout(5000) })
  return ((await answer.json()) as { status?: string }).status === 'ok'
}

async function lastWords(engine: Engine, project: TrialProject): Promise<string> {
  const said = await compose(engine, project, ['logs', '--no-color', '--tail', '5']).catch(String)
  return `Not every service came up. Their last words:\n${said}`
}

async function compose({ env, signal }: Engine, { args }: TrialProject, words: string[]): Promise<string> {
  // A trial trades nowhere else.
  const settings = { ...env, TRIPLINE_VENUES: 'paper' }
  return runCommand(await composeProgram(), [...args, ...words], { env: settings, signal })
}
