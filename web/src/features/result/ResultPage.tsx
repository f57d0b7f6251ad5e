import { useNavigate, useParams } from 'react-router';
import classes from './ResultView.module.css';
import { ResultView } from './ResultView.tsx';

/** /result/:id */
export function ResultPage() {
  const { id = '' } = useParams();
  const navigate = useNavigate();
  return (
    <div className={classes.page}>
      <ResultView id={id} onGone={() => void navigate('/menu/video', { replace: true })} />
    </div>
  );
}
