export async function playInPage() { return []; }
