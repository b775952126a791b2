import { Alert } from 'antd'
import type { ReactNode } from 'react'

/** Why the last try of a form did not succeed, and what can be done about it. */
export function FormFailure({ text, children }: { text: string; children?: ReactNode }) {
  return <Alert className="session-failure" type="error" title={text} description={children} />
}
