import { Spin } from 'antd'
import { texts } from '../shared/texts.ts'

/** The screen until another one can be shown. */
export function FullScreenSpinner() {
  return (
    <div className="full-screen-spinner" role="status" aria-label={texts.general.loading}>
      <Spin size="large" />
    </div>
  )
}
