import { paths } from '../../shared/paths.ts'
import { LegalPage } from './legal-page.tsx'
import markdown from './privacy.md?raw'
import { legalTexts } from './texts.ts'

/** The privacy policy. */
export function PrivacyPage() {
  const next = { title: legalTexts.terms, path: paths.terms }
  return <LegalPage title={legalTexts.privacy} markdown={markdown} next={next} />
}
