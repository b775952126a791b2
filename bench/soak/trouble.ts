import type { Random } from '@tripline/testkit/random'
import type { Stage } from './stage.ts'

/** One kind of trouble; settles once it is over. */
export interface Trouble {
  name: string
  make: (stage: Stage, random: Random) => Promise<void>
}
