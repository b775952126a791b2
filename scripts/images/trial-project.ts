import { cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Closers } from '@tripline/testkit/closers'
import { freePort } from '@tripline/testkit/infra/free-port'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'
import { build } from 'esbuild'

/** A project of compose.yaml in a folder of its own, with what a trial needs besides. */
export interface TrialProject {
  folder: string
  webUrl: string
  paperUrl: string
  /** The start of every command of Compose. */
  args: string[]
}

const mailboxPorts = { smtp: 2525, http: 8080 }

/** The trial's mail server. */
export const smtpUrl = `smtp://mailbox:${mailboxPorts.smtp}`

/** Prepares the project: files that compose.yaml mounts, free ports, a mailbox, and a look into the paper exchange. */
export async function prepareProject(closers: Closers): Promise<TrialProject> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  const deploy = path.join(folder, 'deploy')
  await mkdir(deploy)
  await cp(path.join(rootDir, 'k8s'), path.join(folder, 'k8s'), { recursive: true })
  const mailbox = path.join(folder, 'mailbox')
  await bundleMailbox(mailbox)
  const ports = { web: await freePort(), paper: await freePort() }
  const additions = path.join(folder, 'trial.yaml')
  await writeFile(additions, trialAdditions(ports, mailbox))
  const files = [path.join(rootDir, 'deploy/compose.yaml'), additions].flatMap((file) => ['--file', file])
  return {
    folder,
    webUrl: `http://127.0.0.1:${ports.web}`,
    paperUrl: `http://127.0.0.1:${ports.paper}`,
    args: [...files, '--project-directory', deploy, '--project-name', 'tripline-trial'],
  }
}

function trialAdditions(ports: { web: number; paper: number }, mailbox: string): string {
  return `services:
  gateway:
    ports: !override ["127.0.0.1:${ports.web}:8080"]
    environment:
      TRIPLINE_MODE: local
      MAILBOX_URL: http://mailbox:${mailboxPorts.http}
  intake:
    environment:
      # However slow the machine is, the answer is to be the result.
      RESULT_WAIT_MS: "60000"
  paper-exchange:
    ports: ["127.0.0.1:${ports.paper}:8080"]
    networks: [outside]
    environment:
      PAPER_CONTROL: "on"
  mailbox:
    image: tripline
    command: [/mailbox/mailbox.mjs, "${mailboxPorts.smtp}", "${mailboxPorts.http}", 0.0.0.0]
    user: "65532:65532"
    read_only: true
    networks: [inside]
    volumes: ["${mailbox}:/mailbox:ro"]
    healthcheck:
      disable: true
`
}

async function bundleMailbox(folder: string): Promise<void> {
  await build({
    entryPoints: [path.join(rootDir, 'testkit/infra/mailbox-server.ts')],
    outfile: path.join(folder, 'mailbox.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: `import { createRequire as tripline_createRequire } from 'node:module'
const require = tripline_createRequire(import.meta.url)`,
    },
    logLevel: 'warning',
  })
}
