import { Component, type ReactNode } from 'react';
import { t } from '../language/texts.ts';
import { ErrorPage } from './error-page.tsx';

type PageErrorBoundaryProps = {
  /** Identifies the page. After an error, another page is rendered again. */
  page: string;
  children: ReactNode;
};

/** Replaces a page that failed to render, so that the navigation and all other pages stay usable. */
export class PageErrorBoundary extends Component<PageErrorBoundaryProps> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override componentDidUpdate({ page }: PageErrorBoundaryProps): void {
    if (page !== this.props.page) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return <ErrorPage title={t.shell.thisPageFailedUnexpectedly} text={t.shell.submittedDataIsSafe} />;
  }
}
