import { Button } from 'antd'
import { Component, type ReactNode, useEffect } from 'react'
import { mayReload, useHasNewVersion } from '../shared/new-version.ts'
import { texts } from '../shared/texts.ts'
import { isNothingWritten, reloadWithDraft } from './stored-draft.ts'

interface BoundaryFailure {
  fault: Error | undefined
}

// React has boundaries as classes only.
/** Keeps a fault of one screen from taking the frame around it down. */
export class ScreenBoundary extends Component<{ children: ReactNode }, BoundaryFailure> {
  override state: BoundaryFailure = { fault: undefined }

  static getDerivedStateFromError(fault: Error): BoundaryFailure {
    return { fault }
  }

  override render() {
    const { fault } = this.state
    if (fault === undefined) return this.props.children
    // A screen whose files did not come is asked for again only by a new page; so is one that a newer build took away.
    if (/import|module|preload/i.test(fault.message)) return <MissingScreen fault={fault} />
    return <FaultNote fault={fault} onRetry={() => this.setState({ fault: undefined })} />
  }
}

function FaultNote({ fault, onRetry }: { fault: Error; onRetry: () => void }) {
  return (
    <div className="screen-fault" role="alert">
      <h1>{texts.general.screenFailed}</h1>
      <p className="quiet">{fault.message}</p>
      <Button type="primary" onClick={onRetry}>
        {texts.general.retry}
      </Button>
    </div>
  )
}

function MissingScreen({ fault }: { fault: Error }) {
  const hasNewVersion = useHasNewVersion()
  useEffect(() => {
    if (hasNewVersion && isNothingWritten() && mayReload()) location.reload()
  }, [hasNewVersion])
  if (!hasNewVersion) return <FaultNote fault={fault} onRetry={reloadWithDraft} />
  return (
    <div className="screen-fault" role="alert">
      <h1>{texts.newVersion.said}</h1>
      <p className="quiet">{texts.newVersion.draftStays}</p>
      <Button type="primary" onClick={reloadWithDraft}>
        {texts.newVersion.reload}
      </Button>
    </div>
  )
}
