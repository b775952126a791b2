import { Button } from 'antd'
import { Component, type ReactNode } from 'react'
import { texts } from '../shared/texts.ts'

// React has boundaries as classes only.
/** Keeps a fault of one screen from taking the frame around it down. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="screen-fault" role="alert">
        <h1>{texts.general.screenFailed}</h1>
        <Button onClick={() => this.setState({ failed: false })}>{texts.general.retry}</Button>
      </div>
    )
  }
}
