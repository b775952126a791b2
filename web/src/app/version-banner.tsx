import { Button } from 'antd'
import { useHasNewVersion } from '../shared/new-version.ts'
import { texts } from '../shared/texts.ts'
import { Banner } from './banner.tsx'
import { reloadWithDraft } from './stored-draft.ts'

/** Offers the version that was deployed since this page was opened. */
export function VersionBanner() {
  const hasNewVersion = useHasNewVersion()
  return (
    <div role="status">
      {hasNewVersion && (
        <Banner
          tone="info"
          glyph="↻"
          text={`${texts.newVersion.said} ${texts.newVersion.kept}`}
          action={
            <Button size="small" onClick={reloadWithDraft}>
              {texts.newVersion.reload}
            </Button>
          }
        />
      )}
    </div>
  )
}
