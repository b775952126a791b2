import { NewBotLabel } from '@tripline/proto/user-config'
import { paperTexts } from './paper-texts.ts'

/** What is wrong with a label; undefined where nothing is. */
export function labelFault(label: string): string | undefined {
  if (label.trim() === '') return paperTexts.add.labelRequired
  return NewBotLabel.safeParse(label).error?.issues[0]?.message
}
