export default function AuthPage({ tab }: { tab: 'login' | 'register' }) {
  return <p>{tab}</p>;
}
