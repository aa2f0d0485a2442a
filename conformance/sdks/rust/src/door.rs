use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{Builder, Credentials, SharedHttpClient};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::list_tables::ListTablesError;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};

use crate::{Walk, expect};

fn client_with(trust: TrustStore) -> SharedHttpClient {
    let context = TlsContext::builder().with_trust_store(trust).build().expect("a context of TLS");
    aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::AwsLc))
        .tls_context(context)
        .build_https()
}

/// One that trusts the certificate of the environment, where there is one.
pub fn trusting_client() -> Option<SharedHttpClient> {
    let file = std::env::var_os("AWS_CA_BUNDLE")?;
    let certificate = std::fs::read(file).expect("the certificate of AWS_CA_BUNDLE");
    Some(client_with(TrustStore::empty().with_pem_certificate(certificate)))
}

/// The status of the answer that became the error.
pub fn status<E>(error: &SdkError<E>) -> u16 {
    error.raw_response().map_or(0, |answer| answer.status().as_u16())
}

impl Walk {
    pub fn client(&self, change: impl FnOnce(Builder) -> Builder) -> Client {
        Client::from_conf(change(Builder::from(&self.config)).build())
    }

    pub async fn door(&self, verified: bool) {
        let found = self.db.list_tables().send().await.expect("ListTables");
        expect("no tables yet", found.table_names().is_empty(), &found);
        if std::env::var_os("AWS_CA_BUNDLE").is_some() {
            self.distrust().await;
        }
        if verified {
            self.strangers().await;
        }
    }

    async fn distrust(&self) {
        let client = self.client(|builder| {
            builder.http_client(client_with(TrustStore::default())).retry_config(RetryConfig::disabled())
        });
        let error = client.list_tables().send().await.expect_err("trusted whom it does not know");
        let text = format!("{error:?}");
        let unknown = matches!(error, SdkError::DispatchFailure(_)) && text.contains("UnknownIssuer");
        expect("who does not trust the certificate does not go on", unknown, text);
    }

    async fn call(&self, key: &str, secret: &str, token: Option<&str>) -> Result<(), SdkError<ListTablesError>> {
        let keys = Credentials::new(key, secret, token.map(str::to_owned), None, "the walk");
        let client = self.client(|builder| builder.credentials_provider(keys).retry_config(RetryConfig::disabled()));
        client.list_tables().send().await.map(|_| ())
    }

    async fn strangers(&self) {
        let known = self.call("SESSION", "secret/of+session", Some("to/ken+==")).await;
        expect("keys of a session", known.is_ok(), known);
        for (key, secret, token, code) in [
            ("dummy", "wrong", None, "InvalidSignatureException"),
            ("nobody", "dummy", None, "UnrecognizedClientException"),
            ("SESSION", "secret/of+session", Some("other"), "UnrecognizedClientException"),
            ("OVER", "over", Some("over"), "ExpiredTokenException"),
        ] {
            let error = self.call(key, secret, token).await.expect_err("served a stranger");
            expect(&format!("refused: {key} {secret}"), error.code() == Some(code) && status(&error) == 400, &error);
        }
        let error = self.call("dummy", "wrong", None).await.expect_err("served a stranger");
        let words = "The request signature we calculated does not match the signature you provided.";
        expect("in the words of AWS", error.message().is_some_and(|text| text.starts_with(words)), error);
    }
}
