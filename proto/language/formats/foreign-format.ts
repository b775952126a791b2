import type { WrittenMessage } from '../read-message.ts'
import type { AlertFormat } from './alert-format.ts'
import type { AlertContext, FieldRules } from './fields.ts'

/** The reading of another product's alerts. */
export interface ForeignFormat {
  name: Exclude<AlertFormat, 'tripline'>
  title: string
  /** The pages of the product's documentation that say what its fields mean. */
  sources: readonly string[]
  /** The rule of each field or word; one without a rule is refused. */
  fields: FieldRules
  read: (context: AlertContext) => WrittenMessage
}
