import { paths } from '../shared/paths.ts'
import { AppLink } from './app-link.tsx'
import { landingTexts } from './landing-texts.ts'
import { WayIn } from './way-in.tsx'

/** The product in a sentence and an example, and the way to begin. */
export function Hero() {
  return (
    <section className="hero" aria-labelledby="title">
      <div>
        <p className="alpha-notice">
          <strong>{landingTexts.alpha.title}</strong> {landingTexts.alpha.note}
        </p>
        <h1 id="title">{landingTexts.title}</h1>
        <p className="tagline">{landingTexts.tagline}</p>
        <p className="hero-actions">
          <AppLink href={paths.register} className="button button-primary">
            {landingTexts.getStarted}
          </AppLink>
          <WayIn />
        </p>
      </div>
      <StageExample />
    </section>
  )
}

const { example } = landingTexts

/** An alert, what happens to it, and what comes out: the page explains itself without a script. */
function StageExample() {
  return (
    <figure className="example">
      <figcaption>{example.heading}</figcaption>
      <p className="example-label">{example.alert}</p>
      <pre>
        <code>{example.message}</code>
      </pre>
      <ol className="stages">
        {example.stages.map(({ name, detail, time }) => (
          <li key={name}>
            <strong>{name}</strong>
            <span>{detail}</span>
            <span className="stage-time">{time}</span>
          </li>
        ))}
      </ol>
      <p className="quiet">{example.note}</p>
    </figure>
  )
}
