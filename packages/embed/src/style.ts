/** The stylesheet of the shadow root. Shops change it with custom properties and `::part()`. */
export const style = `
:host {
  --accent: var(--causeway-accent, light-dark(#0e6b5c, #6fd6bd));
  --on-accent: var(--causeway-on-accent, light-dark(#fff, #06251e));
  --ink: var(--causeway-ink, light-dark(#17211e, #ecf2ef));
  --muted: var(--causeway-muted, light-dark(#55625d, #a4b3ad));
  --line: var(--causeway-line, light-dark(#84918b, #73837c));
  --card: var(--causeway-card, light-dark(#fff, #17201d));
  --danger: var(--causeway-danger, light-dark(#a3261d, #ffa79f));
  --notice: var(--causeway-notice, light-dark(#fdf1d4, #352a10));
  --radius: var(--causeway-radius, .75rem);
  color-scheme: light;
  display: block;
  color: var(--ink);
  font: var(--causeway-font, 1rem / 1.5 system-ui, sans-serif);
  overflow-wrap: anywhere;
}
:host([appearance="auto"]) { color-scheme: light dark }
:host([appearance="dark"]) { color-scheme: dark }
:host([hidden]) { display: none }
[part="container"] { background: var(--card); border-radius: var(--radius); padding: 1.25rem; display: grid; gap: 1rem }
* { box-sizing: border-box }
h2, h3, p, dl, dd, ol, figure, fieldset { margin: 0; padding: 0; border: 0; min-width: 0 }
h2 { font-size: 1.25rem; line-height: 1.25 }
h2:focus { outline: 0 }
h3 { font-size: 1rem }
ol { padding-inline-start: 1.25rem }
small, [part~="hint"] { color: var(--muted); font-size: .875rem }
form, section, fieldset, dl { display: grid; gap: .5rem }
legend { margin-block-end: .5rem; padding: 0 }
.method { display: flex; gap: .75rem; align-items: center; padding: .625rem; border: 1px solid var(--line); border-radius: var(--radius); cursor: pointer }
.method:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent) }
.method span { flex: 1 }
.method small { display: block }
.method-head { display: flex; gap: .75rem; align-items: center; font-weight: 600 }
img { border-radius: .375rem }
figure { text-align: center }
[part~="qr"] { width: min(240px, 100%); height: auto; background: #fff }
input[type="email"] { font: inherit; padding: .625rem; border: 1px solid var(--line); border-radius: var(--radius); background: transparent; color: inherit; width: 100% }
input[type="radio"] { accent-color: var(--accent); width: 1.25rem; height: 1.25rem; flex: none }
button, .app { font: inherit; font-weight: 600; padding: .75rem 1rem; min-height: 2.75rem; border: 1px solid var(--accent); border-radius: var(--radius); background: var(--accent); color: var(--on-accent); cursor: pointer; text-align: center; text-decoration: none }
button:disabled { opacity: .6 }
.copy, .secondary, [part~="link"] { background: transparent; color: var(--accent) }
.copy { padding: .125rem .625rem; min-height: 2rem; font-size: .875rem }
:is(button, a, input, summary):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
dl > div { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: center }
dt { color: var(--muted) }
code { font-size: 1.125rem; font-weight: 600 }
summary { cursor: pointer; padding-block: .5rem }
[part~="notice"] { background: var(--notice); padding: .625rem .875rem; border-radius: var(--radius) }
[part~="error"] { color: var(--danger) }
[part~="error"]:empty, [part~="connection"]:empty { display: none }
.success { color: var(--accent) }
`;
