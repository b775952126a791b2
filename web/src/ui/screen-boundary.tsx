import { Button } from 'antd'
import { Component, type ReactNode } from 'react'
import { texts } from '../shared/texts.ts'

interface BoundaryState {
  fault: Error | undefined
}

// React has boundaries as classes only.
/** Keeps a fault of one screen from taking the frame around it down. */
export class ScreenBoundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { fault: undefined }

  static getDerivedStateFromError(fault: Error): BoundaryState {
    return { fault }
  }

  override render() {
    const { fault } = this.state
    if (fault === undefined) return this.props.children
    return (
      <div className="screen-fault" role="alert">
        <h1>{texts.general.screenFailed}</h1>
        <p className="quiet">{fault.message}</p>
        <Button type="primary" onClick={() => this.retry(fault)}>
          {texts.general.retry}
        </Button>
      </div>
    )
  }

  // A screen whose files did not come is asked for again only by a new page; so is one that a newer build took away.
  private retry(fault: Error) {
    if (/import|module|preload/i.test(fault.message)) location.reload()
    else this.setState({ fault: undefined })
  }
}
