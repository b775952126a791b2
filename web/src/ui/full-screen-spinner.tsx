import { Spin } from 'antd'
import { texts } from '../shared/texts.ts'

/** What is seen until a screen can be shown. */
export function FullScreenSpinner() {
  return (
    <div className="full-screen-spinner" role="status" aria-label={texts.general.loading}>
      <Spin size="large" />
    </div>
  )
}
