import { setTimeout as sleep } from 'node:timers/promises'
import { killRecorded, standStill } from './process-troubles.ts'
import { type ServerName, serverNames } from './stage.ts'
import type { Trouble } from './trouble.ts'

const longestMs = 4000

/** Kills, standstills, cuts and silence of every server that the product stands on. */
export const serverTroubles: readonly Trouble[] = serverNames.flatMap((server) => [
  kill(server),
  pause(server),
  cut(server),
  mute(server),
])

function kill(server: ServerName): Trouble {
  return {
    name: `${server}: killed`,
    make: async (stage, random) => {
      killRecorded(stage, server)
      // Started again by itself, as the launcher does.
      await sleep(random.between(500, longestMs))
    },
  }
}

function pause(server: ServerName): Trouble {
  return {
    name: `${server}: paused`,
    make: async ({ product }, random) =>
      await standStill(product.dataDir, server, random.between(100, longestMs)),
  }
}

function cut(server: ServerName): Trouble {
  return {
    name: `${server}: cut off`,
    make: async ({ links }, random) => {
      links[server].cut()
      await sleep(random.between(100, longestMs))
      links[server].mend()
    },
  }
}

function mute(server: ServerName): Trouble {
  return {
    name: `${server}: answers lost on all connections`,
    make: async ({ links }, random) => {
      links[server].mute()
      await sleep(random.between(500, longestMs))
    },
  }
}
