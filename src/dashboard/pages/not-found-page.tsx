import { Link } from '../components/link.tsx';
import { PageHeader } from '../components/page-header.tsx';

export function NotFoundPage() {
  return (
    <PageHeader
      title="Page not found"
      text={
        <>
          Check the URL, or go to{' '}
          <Link to="/" underline="always">
            Home
          </Link>
          .
        </>
      }
    />
  );
}
