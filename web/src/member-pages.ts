/*
 * The code of the pages that visitors do not open. The names and parts of all of them are in this file, which is no part of
 * the first load.
 */

export const PlayerPage = () => import('./features/live/PlayerPage.tsx');
export const WatchPage = () => import('./features/live/WatchPage.tsx');
export const MenuPage = () => import('./features/menu/MenuPage.tsx');
export const ProfilePage = () => import('./features/profile/ProfilePage.tsx');
export const EditProfilePage = () => import('./features/profile/EditProfilePage.tsx');
export const KeepAccount = () => import('./features/profile/KeepAccount.tsx');
export const ResultView = () => import('./features/result/ResultView.tsx');
export const AlbumsPage = () => import('./features/albums/AlbumsPage.tsx');
export const AlbumPage = () => import('./features/albums/AlbumPage.tsx');
export const OrdersPage = () => import('./features/orders/OrdersPage.tsx');
export const PaymentsPage = () => import('./features/orders/PaymentsPage.tsx');
export const SubscriptionsPage = () => import('./features/subscription/SubscriptionsPage.tsx');
export const PointsPage = () => import('./features/points/PointsPage.tsx');
export const AddValuePage = () => import('./features/purchase/AddValuePage.tsx');
export const TradeResultPage = () => import('./features/purchase/TradeResultPage.tsx');
export const ResultPage = () => import('./features/result/ResultPage.tsx');
export const QrCodePage = () => import('./features/frames/QrCodePage.tsx');
export const FramePage = () => import('./features/frames/FramePage.tsx');
export const FramesStrip = () => import('./features/frames/FramesStrip.tsx');
export const FramesPage = () => import('./features/frames/FramesPage.tsx');
export const SharesPage = () => import('./features/share/SharesPage.tsx');
export const AdminArea = () => import('./features/admin/AdminArea.tsx');
export const DevGate = () => import('./features/dev/DevGate.tsx');
export const ConfirmUploadPage = () => import('./features/upload/ConfirmUploadPage.tsx');
export const StorePage = () => import('./features/store/StorePage.tsx');
export const UploadLinksPage = () => import('./features/upload-links/UploadLinksPage.tsx');
export const FriendsPage = () => import('./features/friends/FriendsPage.tsx');
export const UploadPage = () => import('./features/pages/UploadPage.tsx');
export const ContentPage = () => import('./features/content/ContentPage.tsx');
