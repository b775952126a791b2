import { NewBotLabel } from '@tripline/proto/user-config'
import { paperTexts } from './paper-texts.ts'

/** Returns the fault of a label; undefined if there is none. */
export function labelFault(label: string): string | undefined {
  if (label.trim() === '') return paperTexts.add.labelRequired
  return NewBotLabel.safeParse(label).error?.issues[0]?.message
}
