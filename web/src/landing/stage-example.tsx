import { landingTexts } from './landing-texts.ts'

const { example } = landingTexts

/** An alert, what happens to it, and what comes out: the page explains itself without a script. */
export function StageExample() {
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
