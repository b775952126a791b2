import { paths } from '../../shared/paths.ts'
import { LegalPage } from './legal-page.tsx'
import markdown from './terms.md?raw'
import { legalTexts } from './texts.ts'

/** The terms of service. */
export function TermsPage() {
  const next = { title: legalTexts.privacy, path: paths.privacy }
  return <LegalPage title={legalTexts.terms} markdown={markdown} next={next} />
}
