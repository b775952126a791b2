import { paths } from '../shared/paths.ts'
import { landingTexts } from './landing-texts.ts'
import { siteLinks } from './site-links.ts'

const { footer } = landingTexts

/** Legal pages, contact and whose page it is. A link without an address is not shown. */
export function SiteFooter() {
  return (
    <footer className="site-footer">
      <p>{footer.risk}</p>
      <nav aria-label={footer.label}>
        <a href={paths.terms} target="_blank" rel="noopener">
          {footer.terms}
        </a>
        <a href={paths.privacy} target="_blank" rel="noopener">
          {footer.privacy}
        </a>
        <a href={`mailto:${siteLinks.contactEmail}`}>{footer.contact}</a>
      </nav>
      <p>{footer.copyright}</p>
    </footer>
  )
}
