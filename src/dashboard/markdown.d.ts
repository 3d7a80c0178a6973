/** A guide in docs, as the bundler converts it. */
type GuideModule = { default: { title: string; html: string } };

interface ImportMeta {
  /** Replaced by the bundler: a function for each matching file, which loads it. */
  glob(patterns: string | string[]): Record<string, () => Promise<GuideModule>>;
}
