import type { WrittenMessage } from '../read-message.ts'
import type { AlertFormat } from './alert-format.ts'
import type { AlertContext, FieldRules } from './fields.ts'

/** How alerts of another product are read. */
export interface ForeignFormat {
  name: Exclude<AlertFormat, 'tripline'>
  title: string
  /** The pages of the product's documentation that say what its fields mean. */
  sources: readonly string[]
  /** What becomes of each field or word; what is not here is refused. */
  fields: FieldRules
  read: (context: AlertContext) => WrittenMessage
}
