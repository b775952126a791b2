import { autoview } from './autoview.ts'
import { finandy } from './finandy.ts'
import type { ForeignFormat } from './foreign-format.ts'
import { threeCommas } from './three-commas.ts'
import { tradersPost } from './traders-post.ts'
import { tvHub } from './tv-hub.ts'
import { whook } from './whook.ts'
import { wunderTrading } from './wunder-trading.ts'

/** The formats of other products that alerts are read in. */
export const foreignFormats: Readonly<Record<ForeignFormat['name'], ForeignFormat>> = {
  '3commas': threeCommas,
  traderspost: tradersPost,
  wundertrading: wunderTrading,
  tvhub: tvHub,
  finandy,
  autoview,
  whook,
}
