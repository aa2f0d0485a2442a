namespace magneto::server {}
